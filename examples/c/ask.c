/* Asks salvo from C: `ask VERB < body.json` prints the answer, as `salvo request VERB -` does.
   Build: cc ask.c $(pkg-config --cflags --libs salvo-c) -o ask */
#include <salvo/salvo_c.h>
#include <stdio.h>

static char body[8 << 20];

int main(int argc, char** argv) {
  char* answer = NULL;
  size_t size = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: ask VERB < body.json\n");
    return 2;
  }
  salvo_engine* engine = salvo_open(NULL, &answer);
  if (engine == NULL) {
    fprintf(stderr, "%s", answer == NULL ? "out of memory\n" : answer);
    salvo_free(answer);
    return 4;
  }
  const int status = salvo_request(engine, argv[1], body, fread(body, 1, sizeof body, stdin), &answer, &size);
  fwrite(answer, 1, size, stdout);
  salvo_free(answer);
  salvo_close(engine);
  return status;
}
