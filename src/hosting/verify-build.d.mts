/** Every file below a folder with a hash of its content, sorted by path. */
export declare const filesIn: (folder: string) => ReadonlyMap<string, string>;
/** What differs between two such lists, one sentence each. */
export declare const differencesBetween: (
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
) => readonly string[];
