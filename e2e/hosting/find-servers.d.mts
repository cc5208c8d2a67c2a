export type ServerName = 'nginx' | 'caddy';

/** The first program of this kind that starts, or null. */
export declare const findServer: (kind: ServerName) => string | null;
