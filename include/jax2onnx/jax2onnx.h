// SPDX-License-Identifier: Apache-2.0
#ifndef JAX2ONNX_JAX2ONNX_H
#define JAX2ONNX_JAX2ONNX_H

/* The C interface: converts the text of a JAX jaxpr, and its weights, to an ONNX model. Link jax2onnx_c (pkg-config:
   jax2onnx_c).

   Functions that can fail return a status, 0 on success. If `error` is not NULL, they also set *error: to NULL on
   success, otherwise to an error that the caller frees by jax2onnx_error_free(). On failure, other results are not
   changed. Strings are UTF-8 and end with a zero byte; returned strings live as long as the object that they come from.
   Objects may be NULL wherever they are freed or queried.

   Every function can be called from several threads at once, also on the same object if all of them only read it
   (const). No exception leaves a function, and nothing is printed.

   Programs that use these functions keep working with later versions of the library that have the same
   jax2onnx_abi_version(): functions, options and diagnostic codes are added, not changed. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Statuses, which are also the exit codes of the command line tool. */
enum {
  JAX2ONNX_OK = 0,
  JAX2ONNX_USAGE = 1,       /* an argument or option is wrong */
  JAX2ONNX_MALFORMED = 2,   /* the text or the weights are wrong */
  JAX2ONNX_UNSUPPORTED = 3, /* the program cannot be converted to ONNX */
  JAX2ONNX_IO = 4,          /* the system refuses access to a file */
  JAX2ONNX_REFUSED = 6,     /* a limit is exceeded, going on would be unsafe, or there is no memory */
  JAX2ONNX_INTERNAL = 70    /* a defect of this library */
};

typedef struct jax2onnx_options jax2onnx_options;
typedef struct jax2onnx_weights jax2onnx_weights;
typedef struct jax2onnx_model jax2onnx_model;
typedef struct jax2onnx_error jax2onnx_error;

/* The version of the library that is loaded, MAJOR.MINOR.PATCH. */
const char* jax2onnx_version(void);
/* The version of this interface, 1. It changes if programs that use the interface have to change. */
int jax2onnx_abi_version(void);

/* Options: how a jaxpr is converted and a model is written. For jax2onnx_convert(), NULL means all defaults. */

/* NULL if there is no memory. */
jax2onnx_options* jax2onnx_options_new(void);
/* Sets an option of the command line tool, named without its dashes: opset, target, dim, limit, input-names,
   output-names, inputs-as-nchw, outputs-as-nchw, no-fuse, unroll, assume-finite, weight-format, compute, custom-op
   (PRIMITIVE=DOMAIN:OP), functions, keep-unsupported, shard (I/N), sharding-info, threefry-partitionable,
   weights-map, external-data, shape-info, source-info; and name, by which messages and reports refer to the text, and
   keep-events, with which reports say which rules made or declined each node. Lists are separated by commas. `dim`,
   `limit`, `custom-op` and `no-fuse` add up over several calls, other options are replaced. An empty value turns
   `assume-finite`, `keep-unsupported` and `keep-events` on; for `no-fuse` it means all rules, and for `external-data` a
   file that is named by its content. Messages of the library name options "option dim" or "option dim=B=8". */
int jax2onnx_options_set(jax2onnx_options* options, const char* name, const char* value, jax2onnx_error** error);
void jax2onnx_options_free(jax2onnx_options* options);

/* Weights: the arrays that the jaxpr closes over, in the order of its constvars. If jax2onnx_convert() gets NULL,
   closed-over arrays become inputs of the model. Weights can be freed before the models that use them. */

/* NULL if there is no memory. */
jax2onnx_weights* jax2onnx_weights_new(void);
/* Adds the arrays of a .npz, .npy, .safetensors or .safetensors.index.json file. Their elements are read when the model
   is written: until then, the file must not change. */
int jax2onnx_weights_read(jax2onnx_weights* weights, const char* file, jax2onnx_error** error);
/* Adds an array in memory, which is not copied: it must live, unchanged, as long as the models that use it. `type` is
   the type as the jaxpr prints it (f32, i64, bf16, bool, c64, ...); types of less than 8 bits are not supported. `data`
   has the elements in row-major order, little endian, and `size` is their size in bytes. `name` becomes the name of the
   initializer; if `name` is NULL, the initializer gets a generated name. */
int jax2onnx_weights_add(jax2onnx_weights* weights, const char* name, const char* type, const int64_t* shape,
                         size_t rank, const void* data, size_t size, jax2onnx_error** error);
void jax2onnx_weights_free(jax2onnx_weights* weights);

/* Models. */

/* Converts a jaxpr, as `size` bytes of the text that str(jax.make_jaxpr(f)(...)) returns; the text is copied. The model
   keeps what it needs of the options and weights. */
int jax2onnx_convert(const char* text, size_t size, const jax2onnx_weights* weights, const jax2onnx_options* options,
                     jax2onnx_model** model, jax2onnx_error** error);
/* Writes an ONNX file and, if the options ask for it, its external data. The files appear complete or not at all. */
int jax2onnx_model_write(const jax2onnx_model* model, const char* file, jax2onnx_error** error);
/* Encodes the model as an ONNX file without external data, in memory that jax2onnx_free() frees. */
int jax2onnx_model_encode(const jax2onnx_model* model, void** data, size_t* size, jax2onnx_error** error);
/* Describes the conversion (docs/report.md) in a text that jax2onnx_free() frees. `format` is html for a
   self-contained page, json for the same data in a form for programs, or markdown for a summary. html and json
   read all weights. *size is set to the length of the text without the zero byte at its end; `size` may be NULL. */
int jax2onnx_model_report(const jax2onnx_model* model, const char* format, char** text, size_t* size,
                          jax2onnx_error** error);
/* The count of this name: equations, nodes, weights, weight-bytes, constants-as-inputs. UINT64_MAX for other names. */
uint64_t jax2onnx_model_count(const jax2onnx_model* model, const char* name);
/* Warnings, as an error with the status JAX2ONNX_OK that the model owns; NULL if there are none. */
const jax2onnx_error* jax2onnx_model_warnings(const jax2onnx_model* model);
void jax2onnx_model_free(jax2onnx_model* model);
void jax2onnx_free(void* data);

/* Errors: each has at least one problem, in the order of the text. Problems are numbered from 0; for a number that is
   too large, functions return NULL or 0. */

int jax2onnx_error_status(const jax2onnx_error* error);
size_t jax2onnx_error_count(const jax2onnx_error* error);
/* A stable code (docs/diagnostics.md), a message, and help; help may be empty. */
const char* jax2onnx_error_code(const jax2onnx_error* error, size_t problem);
const char* jax2onnx_error_message(const jax2onnx_error* error, size_t problem);
const char* jax2onnx_error_help(const jax2onnx_error* error, size_t problem);
/* The position in the text: the bytes from `begin` to `end`, the line and the column in code points, from 1. Each
   pointer may be NULL. Returns 1, or 0 if the problem has no position. */
int jax2onnx_error_place(const jax2onnx_error* error, size_t problem, size_t* begin, size_t* end, size_t* line,
                         size_t* column);
/* The output of the command line tool: the first 20 problems with their lines of the text. Safe for a terminal. */
const char* jax2onnx_error_text(const jax2onnx_error* error);
/* Describes a failed conversion in the form of jax2onnx_model_report(). `failed` is the error of jax2onnx_convert();
   *error is about the report itself. */
int jax2onnx_error_report(const jax2onnx_error* failed, const char* format, char** text, size_t* size,
                          jax2onnx_error** error);
void jax2onnx_error_free(jax2onnx_error* error);

#ifdef __cplusplus
}
#endif

#endif
