// SPDX-License-Identifier: Apache-2.0
// References are given back in another loop than they were taken in.
struct object {
  int references;
};
void destroy(struct object *o);

static void get(struct object *o) { o->references++; }
static void put(struct object *o) {
  if (--o->references == 0) destroy(o);
}

int share(struct object *o, int n) {
  int i;
  if (!o || n < 0 || o->references <= 0 || o->references > 1000 || n > 1000)
    return -1;
  for (i = 0; i < n; i++) get(o);
  for (i = FIRST; i < n; i++) put(o);
  return 0;
}
