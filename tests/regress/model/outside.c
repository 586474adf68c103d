struct line {
  int state;
  struct line *next;
  char *text;
};

int fill(struct line *l, char c) {
  for (; l; l = l->next) {
    *l->text = c;
    l->state = 1;
  }
  return 0;
}
