/* A serial port: sends bytes, and gives up if the device stays busy. */
#define BUSY 0x01u
#define ENABLED 0x80u
#define MAX_TRIES 3

struct uart {
  unsigned status;
  int sent;
};

extern unsigned read_status(void);
extern void put_byte(char byte);

static struct uart port;

static int wait_until_free(struct uart *u) {
  int tries;
  for (tries = 0; tries < MAX_TRIES; tries++) {
    unsigned status = read_status();
    u->status = status;
    if (!(status & BUSY)) return 1;
  }
  return 0;
}

int uart_send(const char *text) {
  struct uart *u = &port;
  if (!(u->status & ENABLED)) return -1;
  for (; *text; text++) {
    if (!wait_until_free(u)) return -1;
    put_byte(*text);
    u->sent++;
  }
  return u->sent;
}

int main(void) {
  port.status = ENABLED;
  return uart_send("hello") == 5 ? 0 : 1;
}
