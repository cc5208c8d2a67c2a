/** Where the documentation as one text is served, as https://llmstxt.org proposes it. */
export const LLMS_TXT = '/llms.txt';
