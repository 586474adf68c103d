int count;
add(a, b)
  int a;
  short b;
{
  count = other(a);
  return a + b;
}
