# SPDX-License-Identifier: Apache-2.0
# A program without loops whose paths the solver takes forever to prepare.
echo 'int __VERIFIER_nondet_int(void);'
echo 'void reach_error(void);'
echo 'int main(void) {'
echo '  int x = __VERIFIER_nondet_int(), y = 0;'
for i in $(seq 3000); do
  echo "  if (x & $((1 << i % 31))) y += $i; else y ^= $((i * 3));"
done
echo '  if (y == 123456789) reach_error();'
echo '}'
