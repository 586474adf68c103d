unsigned long size_of_long(void) { return sizeof(long); }
unsigned long size_of_pointer(void) { return sizeof(char *); }
