// Evaluates a Stryker report against the list of equivalent mutants.

/** The properties of a mutant that stay the same when lines move. */
const describe = (file, source, { location: { start, end }, mutatorName, replacement }) => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const line = lines[0].trim();
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const tidy = (code) => code.replace(/\s+/g, ' ').trim();
  return {
    file,
    line,
    mutator: mutatorName,
    original: tidy(lines.join('\n')),
    replacement: tidy(replacement ?? ''),
  };
};

const KEY = ['file', 'line', 'mutator', 'original', 'replacement'];
const isSame = (a, b) => KEY.every((name) => a[name] === b[name]);

export const scoreOf = (report, equivalents) => {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({
      ...describe(file, source, mutant),
      status: mutant.status,
      at: `${file}:${mutant.location.start.line}:${mutant.location.start.column}`,
    })),
  );
  const withStatus = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const killed = withStatus('Killed', 'Timeout');
  const survived = withStatus('Survived');
  const unlisted = survived.filter((mutant) => !equivalents.some((known) => isSame(known, mutant)));
  return {
    killed: killed.length,
    equivalent: survived.length - unlisted.length,
    survived: unlisted,
    notCovered: withStatus('NoCoverage'),
    ignored: withStatus('Ignored').length,
    // Listed, but killed after all, or gone from the code.
    stale: equivalents.filter(
      (known) => Object.hasOwn(report.files, known.file) && !survived.some((mutant) => isSame(known, mutant)),
    ),
    // Share of the covered mutants that are not equivalent.
    score: killed.length / Math.max(killed.length + unlisted.length, 1),
  };
};
