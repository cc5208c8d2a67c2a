/** Written by hand instead of taken from the source: the tests hold the product to its documented interface. */
export type SandboxOptions = {
  feeBearer?: 'merchant' | 'buyer';
  attempts?: number;
  holdFailedAttempts?: boolean;
  clientRateLimit?: number;
  serverRateLimit?: number;
  seed?: number;
  reports?: boolean;
  appSchemes?: readonly string[];
};

export type Sandbox = {
  keys: { publishable: string; secret: string };
  fetch(request: Request, peer?: object): Promise<Response>;
  refusesConnection(): boolean;
  close(): void;
};

export type Running = { url: string; port: number; close(): Promise<void> };
export type RunningSandbox = Running & { integrity: string; controlToken: string | null };

export declare const createSandbox: (options?: SandboxOptions) => Sandbox;

export declare const listen: (
  sandbox: Sandbox,
  options: { port: number; root: string; host?: string; names?: readonly string[]; token?: string },
) => Promise<RunningSandbox>;

export declare const listenShop: (options: {
  service: string;
  secretKey: string;
  publishableKey: string;
  port: number;
}) => Promise<Running>;

export { earlyFrame } from '@partner/card-form';
export { CardForm } from '@partner/card-form/react';
export { fillCardForm, payCardForm } from '@partner/card-form/testing';
export { meadow, paper, print } from '@partner/card-form/themes';
