// SPDX-License-Identifier: Apache-2.0
// Three sorts and a binary search agree.
#include <stdio.h>

enum { N = 40 };

static void quick(int *a, int n) {
  if (n < 2) return;
  int pivot = a[n / 2], *l = a, *r = a + n - 1;
  while (l <= r) {
    while (*l < pivot) l++;
    while (*r > pivot) r--;
    if (l <= r) {
      int t = *l;
      *l++ = *r;
      *r-- = t;
    }
  }
  quick(a, r - a + 1);
  quick(l, a + n - l);
}
static void heap(int *a, int n) {
  for (int start = n / 2 - 1, end = n; end > 1;) {
    if (start >= 0) {
      --start;
    } else {
      --end;
      int t = a[0];
      a[0] = a[end];
      a[end] = t;
    }
    for (int i = start < 0 ? 0 : start, child; (child = 2 * i + 1) < end;) {
      if (child + 1 < end && a[child + 1] > a[child]) ++child;
      if (a[i] >= a[child]) break;
      int t = a[i];
      a[i] = a[child];
      a[child] = t;
      i = child;
    }
  }
}
static void shell(int *a, int n) {
  for (int gap = n / 2; gap; gap /= 2)
    for (int i = gap; i < n; ++i)
      for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) {
        int t = a[j];
        a[j] = a[j - gap];
        a[j - gap] = t;
      }
}
static int search(const int *a, int n, int key) {
  int low = 0;
  while (low < n) {
    int middle = low + (n - low) / 2;
    if (a[middle] < key)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

int main(void) {
  static void (*const sorts[])(int *, int) = {quick, heap, shell};
  for (int s = 0; s < 3; ++s) {
    int a[N];
    unsigned seed = 12345;
    for (int i = 0; i < N; ++i) {
      seed = seed * 1103515245 + 12345;
      a[i] = (int)(seed >> 16) % 1000 - 500;
    }
    sorts[s](a, N);
    unsigned hash = 0;
    for (int i = 0; i < N; ++i) {
      if (i && a[i] < a[i - 1]) printf("unsorted at %d\n", i);
      hash = hash * 31 + a[i];
    }
    printf("%u %d\n", hash, search(a, N, 0));
  }
  return 0;
}
