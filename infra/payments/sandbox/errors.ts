/** https://docs.stripe.com/api/errors */

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly status: number;
  readonly body: { readonly error: Readonly<Record<string, unknown>> };

  constructor(status: number, error: { type?: string; code?: string; message: string; param?: string }) {
    super(error.message);
    this.status = status;
    this.body = { error: { type: 'invalid_request_error', ...error } };
  }
}

export const missing = (kind: string, id: string, param = 'intent'): SandboxError =>
  new SandboxError(404, { code: 'resource_missing', message: `No such ${kind}: '${id}'`, param });

export const badParameter = (
  param: string,
  message: string,
  code = 'parameter_invalid_integer',
): SandboxError => new SandboxError(400, { code, message, param });

export const unauthorized = (message: string): SandboxError => new SandboxError(401, { message });
