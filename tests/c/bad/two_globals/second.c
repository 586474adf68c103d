// SPDX-License-Identifier: Apache-2.0
int shared = 1; // ERROR@5: 'shared' is defined twice
