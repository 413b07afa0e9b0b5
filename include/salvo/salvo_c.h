/* salvo in C: one question as JSON in, its answer as JSON out (docs/format.md). The same functions are what the
   WebAssembly module exports. In a library of its own, libsalvo.so.0, which exports nothing else.

     char* answer = NULL;
     size_t size = 0;
     salvo_engine* engine = salvo_open(NULL, &answer);
     if (engine == NULL) { puts(answer); salvo_free(answer); return 1; }
     const char* body = "{\"attack\": [\"3\"], \"defend\": \"2 focus\"}";
     int status = salvo_request(engine, "run", body, strlen(body), &answer, &size);
     fwrite(answer, 1, size, stdout);
     salvo_free(answer);
     salvo_close(engine);

   Texts are UTF-8. No function lets an exception out, and none ends the program. Any number of threads may ask one
   engine at once; salvo_close() waits for nobody, so call it when all have their answers. */
#ifndef SALVO_SALVO_C_H
#define SALVO_SALVO_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The data of the game, read. */
typedef struct salvo_engine salvo_engine;

/** Hears how many of the planned trials have been played; returns 0 to stop. May be called from another thread than the
    one that asked, never from two at once for one question. */
typedef int (*salvo_progress)(void* context, uint64_t done, uint64_t planned);

/** The version of the library, as "0.1.0". Stays good. */
const char* salvo_version(void);

/** Opens the folder of profiles; NULL: the one that the program salvo would find (docs/library.md). Returns NULL when
    there is none, with the error as JSON in *error, unless `error` is NULL; it is the caller's to free. */
salvo_engine* salvo_open(const char* profiles, char** error);

/** The same for a pack of profiles (profiles.pack) in memory, which is copied: no file is opened, then or later. */
salvo_engine* salvo_open_pack(const void* bytes, size_t size, char** error);

/** Adds what a first pack leaves out (profiles-first.pack leaves out what is in profiles-further.pack). Returns 0, or 2
   with the error as JSON in *error, unless `error` is NULL; it is the caller's to free. From any thread. */
int salvo_add_pack(salvo_engine* engine, const void* bytes, size_t size, char** error);

/** Ends the engine; NULL is none. */
void salvo_close(salvo_engine* engine);

/** Asks. `verb`: "run", "advise", ...; `body`: `body_size` bytes of JSON, at most 8 MiB.
    *answer becomes the answer: *answer_size bytes of JSON and a 0 behind them, for the caller to free; an error is the
    object {"error": {"place", "message", "status"}}. `answer_size` may be NULL; a NULL in the place of `engine`, `verb`
    or `body` is an error as any other, and without `answer` there is nothing but the status 2.
    Returns 0, or the status of the error: 2 the question cannot be, 3 it is too large for its budget, 4 the fault is
    the library's or the machine's (with *answer NULL when there was no memory even to say so), 5 a first pack leaves
   out what the question needs: add the further one and ask again. */
int salvo_request(salvo_engine* engine, const char* verb, const char* body, size_t body_size, char** answer,
                  size_t* answer_size);

/** The same; `progress` hears about sampled answers of "run", with `context`. One that is stopped answers with the
    trials played so far and says that it was interrupted. */
int salvo_request_progress(salvo_engine* engine, const char* verb, const char* body, size_t body_size,
                           salvo_progress progress, void* context, char** answer, size_t* answer_size);

/** Stops, as `progress` can, all questions that the engine is answering at this moment. From any thread; NULL is none.
 */
void salvo_cancel(salvo_engine* engine);

/** Frees a text that these functions gave, once; NULL is none. */
void salvo_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
