// The includes of the programs in documents, compiled once for all of them.
