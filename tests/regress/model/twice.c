int right(int y) { return y; }
