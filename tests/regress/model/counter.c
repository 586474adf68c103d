extern int next(void);
extern void emit(int value);

static int limit = 10;
int calls;

static int clip(int value) {
  if (value > limit) return limit;
  return value;
}

int main(void) {
  int sum = 0;
  while (sum < 100) {
    sum += clip(next());
    calls++;
  }
  emit(sum);
  return 0;
}

int unused(int x) { return x / 2; }
