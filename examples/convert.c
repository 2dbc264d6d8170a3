// SPDX-License-Identifier: Apache-2.0
/* Converts a text and its weights from a C program: convert MODEL.jaxpr WEIGHTS.npz OUT.onnx */

#include <jax2onnx/jax2onnx.h>

#include <stdio.h>
#include <stdlib.h>

/* The content of a file, which the caller frees; NULL if it cannot be read. */
static char* read_file(const char* name, size_t* size) {
  char* content = NULL;
  long length = -1;
  FILE* file = fopen(name, "rb");
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
  if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) content = malloc((size_t)length + 1);
  if (content) *size = fread(content, 1, (size_t)length, file);
  fclose(file);
  return content;
}

int main(int argc, char** argv) {
  size_t size = 0;
  jax2onnx_error* error = NULL;
  jax2onnx_model* model = NULL;
  if (argc != 4) return JAX2ONNX_USAGE;
  char* text = read_file(argv[1], &size);
  if (!text) return JAX2ONNX_IO;

  jax2onnx_options* options = jax2onnx_options_new();
  jax2onnx_weights* weights = jax2onnx_weights_new();
  int status = jax2onnx_options_set(options, "name", argv[1], &error);
  if (!status) status = jax2onnx_weights_read(weights, argv[2], &error);
  if (!status) status = jax2onnx_convert(text, size, weights, options, &model, &error);
  if (!status) status = jax2onnx_model_write(model, argv[3], &error);

  if (status) fputs(jax2onnx_error_text(error), stderr);
  else printf("%d nodes\n", (int)jax2onnx_model_count(model, "nodes"));
  jax2onnx_error_free(error);
  jax2onnx_model_free(model);
  jax2onnx_weights_free(weights);
  jax2onnx_options_free(options);
  free(text);
  return status;
}
