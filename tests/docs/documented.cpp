// SPDX-License-Identifier: Apache-2.0
// The includes of the programs in documents, compiled once for all of them.
