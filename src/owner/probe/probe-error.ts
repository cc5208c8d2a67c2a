/** The probe couldn't run. This says nothing about the service. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';
}
