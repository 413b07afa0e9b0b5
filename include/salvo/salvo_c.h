/* The C interface of salvo: a question as JSON in, its answer as JSON out (docs/format.md). The WebAssembly module
   exports the same functions. The library libsalvo.so.0 exports nothing else.

     char* answer = NULL;
     size_t size = 0;
     salvo_engine* engine = salvo_open(NULL, &answer);
     if (engine == NULL) { puts(answer); salvo_free(answer); return 1; }
     const char* body = "{\"attack\": [\"3\"], \"defend\": \"2 focus\"}";
     int status = salvo_request(engine, "run", body, strlen(body), &answer, &size);
     fwrite(answer, 1, size, stdout);
     salvo_free(answer);
     salvo_close(engine);

   Texts are UTF-8. Functions neither throw exceptions nor end the program. Any number of threads may use one engine at
   once; salvo_close() does not wait for them, so call it after the last answer. */
#ifndef SALVO_SALVO_C_H
#define SALVO_SALVO_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The loaded data of the game. */
typedef struct salvo_engine salvo_engine;

/** Receives the number of trials done and planned; returns 0 to stop. May be called from a thread other than the
   caller's, but never from two at once for one question. */
typedef int (*salvo_progress)(void* context, uint64_t done, uint64_t planned);

/** The version of the library, as "1.0.0". The text stays valid. */
const char* salvo_version(void);

/** Opens the folder of profiles; NULL: the one that the program salvo would find (docs/library.md). Returns NULL on
    failure; *error then receives the error as JSON, for the caller to free, unless `error` is NULL. */
salvo_engine* salvo_open(const char* profiles, char** error);

/** The same for a pack of profiles (profiles.pack) in memory, which is copied. Never opens a file. */
salvo_engine* salvo_open_pack(const void* bytes, size_t size, char** error);

/** Adds the next part of a pack in three (profiles-first.pack, profiles-cards.pack, profiles-further.pack). Returns 0,
   or 2 with the error as JSON in *error, for the caller to free, unless `error` is NULL. Thread-safe. */
int salvo_add_pack(salvo_engine* engine, const void* bytes, size_t size, char** error);

/** Closes the engine; ignores NULL. */
void salvo_close(salvo_engine* engine);

/** Answers a request. `verb`: "run", "advise", ...; `body`: `body_size` bytes of JSON, at most 8 MiB.
    *answer receives *answer_size bytes of JSON and a terminating 0, for the caller to free: the answer, or the error as
    {"error": {"place", "message", "status"}}. `answer_size` may be NULL. NULL for `engine`, `verb` or `body` is an
    ordinary error; NULL for `answer` gives only the status 2.
    Returns 0, or the status of the error: 2 invalid question, 3 too large for its budget, 4 internal error (*answer is
    NULL if memory ran out), 5 the packs lack data for the question: add the next one and ask again. */
int salvo_request(salvo_engine* engine, const char* verb, const char* body, size_t body_size, char** answer,
                  size_t* answer_size);

/** The same; sampled answers of "run" call `progress` with `context`. A stopped answer covers the trials done and says
    that it was interrupted. */
int salvo_request_progress(salvo_engine* engine, const char* verb, const char* body, size_t body_size,
                           salvo_progress progress, void* context, char** answer, size_t* answer_size);

/** Stops all questions that the engine is answering now, as `progress` can. Thread-safe; ignores NULL. */
void salvo_cancel(salvo_engine* engine);

/** Frees a text from these functions; ignores NULL. */
void salvo_free(char* text);

#ifdef __cplusplus
}
#endif

#endif
