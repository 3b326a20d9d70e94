/**
 * Who reads and writes what the settings name: a person, who sees what happens, or a model, which
 * believes what it reads. For a model a project that nobody trusts chooses no memory.
 */
export type Reader = "person" | "model";
