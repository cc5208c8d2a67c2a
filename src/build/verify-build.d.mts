/** The files below a folder with their content hashes, sorted by path. */
export declare const filesIn: (folder: string) => ReadonlyMap<string, string>;
/** The differences between two such maps, one sentence each. */
export declare const differencesBetween: (
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
) => readonly string[];
