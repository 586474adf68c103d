// SPDX-License-Identifier: Apache-2.0
const unsigned char text[] = {
#embed __FILE__ // ERROR: .#embed. is not supported
};

int main(void) { return text[1]; }
