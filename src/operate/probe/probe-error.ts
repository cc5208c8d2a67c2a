/** A probe that could not be made. It says nothing about the service. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
}
