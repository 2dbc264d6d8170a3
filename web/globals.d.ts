// SPDX-License-Identifier: Apache-2.0
// What the pages leave for tests, and what TypeScript's types of workers have but those of pages have not.
interface Window {
  jax2onnx_report: any;
  jax2onnx_converter: any;
}
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
