/** Address of the documentation as a single text, as proposed by https://llmstxt.org. */
export const LLMS_TXT = '/llms.txt';
