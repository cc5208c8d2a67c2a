/** Splits code into parts to colour. Understands as much of HTML, JavaScript and components as the playground writes. */

export type Kind = 'plain' | 'comment' | 'string' | 'tag' | 'word';
export type Part = { kind: Kind; text: string };

const TOKEN =
  /(?<comment>\/\/[^\n]*)|(?<string>'(?:\\.|[^'\\\n])*'|"[^"\n]*")|(?<tag><\/?[A-Za-z][\w-]*|\/?(?<!=)>)|\b(?<word>import|from|export|const|let|await|return|type|if|as)\b/g;

/** The parts in order; together they are the code. */
export const highlight = (code: string): readonly Part[] => {
  const parts: Part[] = [];
  let end = 0;
  for (const match of code.matchAll(TOKEN)) {
    const { comment, string, tag, word } = match.groups ?? {};
    const [text] = match;
    if (match.index > end) parts.push({ kind: 'plain', text: code.slice(end, match.index) });
    parts.push({ kind: kindOf({ comment, string, tag, word }), text });
    end = match.index + text.length;
  }
  if (end < code.length) parts.push({ kind: 'plain', text: code.slice(end) });
  return parts;
};

const kindOf = ({
  comment,
  string,
  tag,
  word,
}: Readonly<Record<'comment' | 'string' | 'tag' | 'word', string | undefined>>): Kind => {
  if (comment !== undefined) return 'comment';
  if (string !== undefined) return 'string';
  if (tag !== undefined) return 'tag';
  return word === undefined ? 'plain' : 'word';
};
