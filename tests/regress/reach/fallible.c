// SPDX-License-Identifier: Apache-2.0
// Memory that may not be had.
#include <stdlib.h>

extern void reach_error(void);

struct node {
  struct node *next;
  int value;
};

static struct node *push(struct node *list, int value) {
  struct node *first = malloc(sizeof *first);
  if (first == NULL) return list;
  first->next = list;
  first->value = value;
  return first;
}

#if CASE == 1 /* Is the list as long as was asked for? */
int main(void) {
  struct node *list = push(push(NULL, 1), 2);
  if (list == NULL) reach_error();
}
#elif CASE == 2 /* What fails changes nothing. */
int main(void) {
  char *text = malloc(2);
  if (text == NULL) return 1;
  text[0] = 'a';
  char *longer = realloc(text, 8);
  if (longer == NULL) {
    if (text[0] != 'a') reach_error();
    free(text);
    return 1;
  }
  if (longer[0] != 'a') reach_error();
}
#elif CASE == 3 /* By another name. */
int main(void) {
  void *(*get)(size_t) = malloc;
  if (get(4) == NULL) reach_error();
}
#elif CASE == 4 /* The first of two goes well. */
int main(void) {
  int *a = calloc(1, sizeof *a);
  int *b = aligned_alloc(16, 16);
  if (a != NULL && *a != 0) reach_error();
  if (a != NULL && b == NULL) reach_error();
}
#endif
