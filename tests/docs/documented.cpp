// What the programs of documents include is compiled for them all with this file.
