/**
 * Cleans a text of invisible characters. One table for every text field, by Unicode's categories:
 *
 * | Characters | In digits and Latin letters | In words of any script |
 * | --- | --- | --- |
 * | controls and line ends (Cc, Zl, Zp) | a space | a space |
 * | halves of surrogate pairs (Cs) | removed | removed |
 * | format characters (Cf), and others drawn as nothing, such as fillers | removed | removed, but see below |
 * | marks that choose a shape (Mn), as of an emoji or of a Han character | removed | kept |
 * | joiners (Join_Control) | removed | kept after a letter of a script other than Latin, and after an emoji |
 * | other widths and ligatures | as ASCII (NFKC) | kept (NFC) |
 */

/** An email address or a postal code. */
export const cleanCode = (input: string): string =>
  trimmed(
    inOneLine(input)
      .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
      .normalize('NFKC'),
  );

/** A name or a line of an address. */
export const cleanWords = (input: string): string =>
  trimmed(
    inOneLine(input)
      .replace(/(?![\p{M}\p{Join_Control}])\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(
        /(?<!(?!\p{Script=Latin})[\p{L}\p{Extended_Pictographic}][\p{M}\p{Emoji_Modifier}]{0,4})\p{Join_Control}/gu,
        '',
      )
      .normalize('NFC'),
  );

const inOneLine = (input: string): string =>
  input.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/\p{Cs}+/gu, '');

/** Removes surrounding spaces, and marks without a letter before them. */
const trimmed = (text: string): string => text.replace(/^[\s\p{M}]+/u, '').trimEnd();
