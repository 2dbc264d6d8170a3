// SPDX-License-Identifier: Apache-2.0
/* The C interface, used from C. Prints the checks that fail. */

#include <jax2onnx/jax2onnx.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                     \
  do {                                                       \
    if (!(condition)) {                                      \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                            \
    }                                                        \
  } while (0)

static const char* const text = "{ lambda w:f32[2]; a:f32[2]. let b:f32[2] = mul a w in (b,) }";

/* Checks that an error has the expected status, code and message; frees it. */
static void check_error(jax2onnx_error* error, int status, const char* code, const char* message) {
  CHECK(jax2onnx_error_status(error) == status);
  CHECK(jax2onnx_error_count(error) == 1);
  if (jax2onnx_error_count(error) == 1) {
    CHECK(strcmp(jax2onnx_error_code(error, 0), code) == 0);
    if (!strstr(jax2onnx_error_message(error, 0), message)) printf("found: %s\n", jax2onnx_error_message(error, 0));
    CHECK(strstr(jax2onnx_error_message(error, 0), message) != NULL);
    CHECK(strstr(jax2onnx_error_text(error), code) != NULL);
  }
  jax2onnx_error_free(error);
}

static int contains(const char* data, size_t size, const char* part) {
  const size_t length = strlen(part);
  for (size_t i = 0; i + length <= size; ++i)
    if (memcmp(data + i, part, length) == 0) return 1;
  return 0;
}

static void test_versions(void) {
  CHECK(jax2onnx_abi_version() == 1);
  CHECK(strchr(jax2onnx_version(), '.') != NULL);
}

static void test_model_in_memory(void) {
  const float w[2] = {1.5f, 2.5f};
  const int64_t shape[1] = {2};
  jax2onnx_model* model = NULL;
  jax2onnx_error* error = NULL;
  void *data = NULL, *again = NULL;
  size_t size = 0, size_again = 0;
  jax2onnx_options* options = jax2onnx_options_new();
  jax2onnx_weights* weights = jax2onnx_weights_new();
  CHECK(jax2onnx_options_set(options, "opset", "18", &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_options_set(options, "input-names", "left", NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_weights_add(weights, "scale", "f32", shape, 1, w, sizeof w, &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_convert(text, strlen(text), weights, options, &model, &error) == JAX2ONNX_OK);
  CHECK(error == NULL);
  jax2onnx_weights_free(weights);
  jax2onnx_options_free(options);
  CHECK(jax2onnx_model_count(model, "nodes") == 1);
  CHECK(jax2onnx_model_count(model, "weights") == 1);
  CHECK(jax2onnx_model_count(model, "weight-bytes") == sizeof w);
  CHECK(jax2onnx_model_count(model, "no such count") == UINT64_MAX);
  CHECK(jax2onnx_model_warnings(model) == NULL);
  CHECK(jax2onnx_model_encode(model, &data, &size, &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_model_encode(model, &again, &size_again, NULL) == JAX2ONNX_OK);
  CHECK(size > sizeof w && size == size_again && memcmp(data, again, size) == 0);
  CHECK(contains(data, size, "left") && contains(data, size, "scale"));
  jax2onnx_free(data);
  jax2onnx_free(again);
  jax2onnx_model_free(model);
}

static void test_model_file(const char* file) {
  jax2onnx_model* model = NULL;
  jax2onnx_error* error = NULL;
  void* data = NULL;
  size_t size = 0;
  char content[4096];
  CHECK(jax2onnx_convert(text, strlen(text), NULL, NULL, &model, &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_model_count(model, "constants-as-inputs") == 1);
  CHECK(jax2onnx_model_write(model, file, &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_model_encode(model, &data, &size, &error) == JAX2ONNX_OK);
  FILE* written = fopen(file, "rb");
  CHECK(written != NULL);
  if (written) {
    CHECK(fread(content, 1, sizeof content, written) == size && memcmp(content, data, size) == 0);
    fclose(written);
  }
  remove(file);
  jax2onnx_free(data);
  CHECK(jax2onnx_model_write(model, "no such folder/m.onnx", &error) == JAX2ONNX_IO);
  check_error(error, JAX2ONNX_IO, "file.io", "cannot create");
  jax2onnx_model_free(model);
}

static void test_reports(void) {
  const char* positive = "{ lambda ; a:f32[2]. let b:f32[2] = max a 0.0:f32[] in (b,) }";
  jax2onnx_model* model = NULL;
  jax2onnx_error *failed = NULL, *error = NULL;
  char* report = NULL;
  size_t size = 0;
  jax2onnx_options* options = jax2onnx_options_new();
  CHECK(jax2onnx_options_set(options, "name", "my.jaxpr", NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_options_set(options, "keep-events", "", NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_convert(positive, strlen(positive), NULL, options, &model, &error) == JAX2ONNX_OK);
  CHECK(jax2onnx_model_report(model, "markdown", &report, NULL, NULL) == JAX2ONNX_OK);
  CHECK(strncmp(report, "# my.jaxpr: converted\n", 22) == 0);
  jax2onnx_free(report);
  CHECK(jax2onnx_model_report(model, "json", &report, &size, &error) == JAX2ONNX_OK && error == NULL);
  CHECK(size == strlen(report) && strstr(report, "{\"rule\":\"Relu\",\"replaced\":\"Max\"}") != NULL);
  jax2onnx_free(report);
  CHECK(jax2onnx_model_report(model, "html", &report, &size, &error) == JAX2ONNX_OK);
  CHECK(strncmp(report, "<!doctype html>", 15) == 0);
  jax2onnx_free(report);
  CHECK(jax2onnx_model_report(model, "pdf", &report, &size, &error) == JAX2ONNX_USAGE);
  check_error(error, JAX2ONNX_USAGE, "usage", "'pdf'");
  CHECK(jax2onnx_model_report(model, NULL, &report, &size, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_model_report(model, "json", NULL, &size, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_model_report(NULL, "json", &report, &size, NULL) == JAX2ONNX_USAGE);
  jax2onnx_model_free(model);

  CHECK(jax2onnx_convert("{ lambda", 8, NULL, options, &model, &failed) == JAX2ONNX_MALFORMED);
  CHECK(jax2onnx_error_report(failed, "json", &report, &size, &error) == JAX2ONNX_OK && error == NULL);
  CHECK(strstr(report, "\"input\": \"my.jaxpr\"") != NULL && strstr(report, "\"result\": \"failed\"") != NULL);
  jax2onnx_free(report);
  CHECK(jax2onnx_error_report(failed, "pdf", &report, &size, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_error_report(NULL, "json", &report, &size, &error) == JAX2ONNX_USAGE);
  check_error(error, JAX2ONNX_USAGE, "usage", "not an error");
  jax2onnx_error_free(failed);
  jax2onnx_options_free(options);
}

static void test_errors_of_a_text(void) {
  const char* bad = "{ lambda ; a:f32[2]. let\n    b:f32[2] = no_such_primitive a\n  in (b,) }";
  jax2onnx_model* model = NULL;
  jax2onnx_error* error = NULL;
  size_t begin = 0, end = 0, line = 0, column = 0;
  jax2onnx_options* options = jax2onnx_options_new();
  CHECK(jax2onnx_options_set(options, "name", "my.jaxpr", NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_convert(bad, strlen(bad), NULL, options, &model, &error) == JAX2ONNX_UNSUPPORTED);
  CHECK(model == NULL);
  CHECK(jax2onnx_error_place(error, 0, &begin, &end, &line, &column) == 1);
  CHECK(line == 2 && begin > 20 && end > begin && end < strlen(bad));
  CHECK(jax2onnx_error_place(error, 0, NULL, NULL, NULL, NULL) == 1);
  CHECK(jax2onnx_error_place(error, 1, &begin, &end, &line, &column) == 0);
  CHECK(jax2onnx_error_message(error, 1) == NULL && jax2onnx_error_code(error, 1) == NULL);
  CHECK(jax2onnx_error_help(error, 0) != NULL);
  CHECK(strncmp(jax2onnx_error_text(error), "my.jaxpr:2:", 11) == 0);
  check_error(error, JAX2ONNX_UNSUPPORTED, jax2onnx_error_code(error, 0), "no_such_primitive");
  CHECK(jax2onnx_convert("{ lambda", 8, NULL, NULL, &model, &error) == JAX2ONNX_MALFORMED);
  CHECK(jax2onnx_error_place(error, 0, &begin, &end, &line, &column) == 1);
  CHECK(line == 1);
  jax2onnx_error_free(error);
  CHECK(jax2onnx_convert("", 0, NULL, NULL, &model, NULL) == JAX2ONNX_MALFORMED);
  CHECK(jax2onnx_convert("\xff\0\x01", 3, NULL, NULL, &model, NULL) == JAX2ONNX_MALFORMED);
  CHECK(jax2onnx_options_set(options, "limit", "variables=1", NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_convert(text, strlen(text), NULL, options, &model, &error) == JAX2ONNX_REFUSED);
  jax2onnx_error_free(error);
  jax2onnx_options_free(options);
}

static void test_errors_of_arguments(void) {
  static const char* const wrong[][2] = {{"opset", "16"},
                                         {"opset", "x"},
                                         {"opset", ""},
                                         {"target", "gpu"},
                                         {"dim", "B"},
                                         {"dim", "=3"},
                                         {"dim", "B=-1"},
                                         {"limit", "time=3"},
                                         {"no-fuse", "NoSuchRule"},
                                         {"shape-info", "1"},
                                         {"source-info", "1"},
                                         {"assume-finite", "1"},
                                         {"keep-events", "1"},
                                         {"weight-format", "float8"},
                                         {"no-such-option", "1"}};
  const int64_t shape[2] = {2, 3}, negative[1] = {-1}, huge[2] = {INT64_MAX, INT64_MAX};
  const float data[6] = {0};
  jax2onnx_model* model = NULL;
  jax2onnx_error* error = NULL;
  jax2onnx_options* options = jax2onnx_options_new();
  jax2onnx_weights* weights = jax2onnx_weights_new();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK(jax2onnx_options_set(options, wrong[i][0], wrong[i][1], &error) == JAX2ONNX_USAGE);
    check_error(error, JAX2ONNX_USAGE, "usage", "");
  }
  CHECK(jax2onnx_options_set(NULL, "opset", "18", &error) == JAX2ONNX_USAGE);
  check_error(error, JAX2ONNX_USAGE, "usage", "NULL");
  CHECK(jax2onnx_options_set(options, NULL, "18", NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_options_set(options, "opset", NULL, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_convert(NULL, 3, NULL, NULL, &model, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_convert(text, strlen(text), NULL, NULL, NULL, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_convert(text, strlen(text), weights, NULL, &model, &error) == JAX2ONNX_MALFORMED);
  check_error(error, JAX2ONNX_MALFORMED, "file.malformed", "no weights");
  CHECK(jax2onnx_model_write(NULL, "m.onnx", NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_model_encode(NULL, NULL, NULL, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_read(weights, "no such file.npz", &error) == JAX2ONNX_IO);
  check_error(error, JAX2ONNX_IO, "file.io", "No such file");
  CHECK(jax2onnx_weights_read(weights, "", NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_read(weights, NULL, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", shape, 2, data, 23, &error) == JAX2ONNX_USAGE);
  check_error(error, JAX2ONNX_USAGE, "usage", "f32[2,3] does not have 23 bytes");
  CHECK(jax2onnx_weights_add(weights, NULL, "f33", shape, 2, data, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "i4", shape, 2, data, 6, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", negative, 1, data, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", huge, 2, data, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", NULL, 1, data, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", shape, 2, NULL, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", shape, 65, data, sizeof data, NULL) == JAX2ONNX_USAGE);
  CHECK(jax2onnx_weights_add(weights, NULL, "f32", shape, 2, data, sizeof data, NULL) == JAX2ONNX_OK);
  CHECK(jax2onnx_convert(text, strlen(text), weights, NULL, &model, &error) == JAX2ONNX_MALFORMED);
  check_error(error, JAX2ONNX_MALFORMED, "weights.mismatch", "");
  CHECK(model == NULL);
  jax2onnx_weights_free(weights);
  jax2onnx_options_free(options);
}

static void test_null_objects(void) {
  jax2onnx_options_free(NULL);
  jax2onnx_weights_free(NULL);
  jax2onnx_model_free(NULL);
  jax2onnx_error_free(NULL);
  jax2onnx_free(NULL);
  CHECK(jax2onnx_error_status(NULL) == JAX2ONNX_OK && jax2onnx_error_count(NULL) == 0);
  CHECK(jax2onnx_error_text(NULL) == NULL && jax2onnx_error_code(NULL, 0) == NULL);
  CHECK(jax2onnx_model_warnings(NULL) == NULL && jax2onnx_model_count(NULL, "nodes") == UINT64_MAX);
}

int main(void) {
  test_versions();
  test_model_in_memory();
  test_model_file("interface.onnx");
  test_reports();
  test_errors_of_a_text();
  test_errors_of_arguments();
  test_null_objects();
  puts(failures ? "FAILED" : "the C interface is as described");
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
