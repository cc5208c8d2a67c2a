/** Replaces `@opentelemetry/api` when the documentation's recipe runs: the part that it uses, recording. */

type Value = string | number | boolean;
type Attributes = { [name: string]: Value | undefined };

/** Every call, in order. */
export const recorded: unknown[] = [];

type Span = {
  addEvent(name: string, attributes?: Attributes): Span;
  setAttribute(name: string, value: Value): Span;
  setAttributes(attributes: Attributes): Span;
  end(): void;
};

const span: Span = {
  addEvent(...event) {
    recorded.push(['addEvent', ...event]);
    return span;
  },
  setAttribute(...attribute) {
    recorded.push(['setAttribute', ...attribute]);
    return span;
  },
  setAttributes(attributes) {
    recorded.push(['setAttributes', attributes]);
    return span;
  },
  end() {
    recorded.push(['end']);
  },
};

export const trace = {
  getTracer: (name: string) => ({
    startSpan(called: string, options: { startTime?: number } = {}): Span {
      recorded.push(['startSpan', name, called, options]);
      return span;
    },
  }),
};
