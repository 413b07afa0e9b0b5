#include "salvo/salvo.h"
int main() { return 0; }
