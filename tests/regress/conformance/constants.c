/* SPDX-License-Identifier: Apache-2.0 */
/* Nobody changes a constant: neither whoever called the procedure before, nor a
 * routine without a body. */
void bad(void);
int outside(void);
void fill(char *buffer, unsigned n);

const int visible = 3;
static const int own = 4;
static const int table[2] = {1, 2};
static const struct { int a, b; } pair = {1, 2};
static int variable = 5;

void before(void) {
  static const int inner = 6;
  if (visible != 3 || own != 4 || table[1] != 2 || pair.b != 2 || inner != 6) bad();
}

void after(void) {
  outside();
  if (visible != 3 || own != 4 || table[1] != 2 || pair.b != 2) bad();
}

void changed(void) {
  if (variable != 5) bad();
}

/* A slice up to n - 1 is empty if n is 0, also if it is unsigned. */
void filled(unsigned n) {
  char buffer[8] = "xxxxxxx";
  if (n != 0) return;
  fill(buffer, n);
  if (buffer[4] != 'x') bad();
}

void filled_more(unsigned n) {
  char buffer[8] = "xxxxxxx";
  if (n > 5) n = 5;
  fill(buffer, n);
  if (buffer[4] != 'x') bad();
}

void filled_less(unsigned n) {
  char buffer[8] = "xxxxxxx";
  if (n > 4) n = 4;
  fill(buffer, n);
  if (buffer[4] != 'x') bad();
}
