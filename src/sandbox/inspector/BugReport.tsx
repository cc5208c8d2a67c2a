import type { PaymentDetails } from '../service/control/overview.ts';
import { useInspector } from './context.ts';
import { get } from './control-api.ts';
import { releaseIn, reportOf } from './report.ts';

const releaseServed = async (): Promise<string | null> => {
  const response = await fetch('/partner/v1/card-form/frame', { cache: 'no-store' }).catch(() => null);
  return response?.ok ? releaseIn(await response.text()) : null;
};

/** Saves the sandbox's data about a payment as a file that can be attached to an issue. */
export const BugReport = ({ facts }: { facts: PaymentDetails }) => {
  const { overview, runAction } = useInspector();
  const save = () =>
    void runAction(async () => {
      const [release, requests] = await Promise.all([
        releaseServed(),
        get<{ data: unknown }>('requests?limit=200'),
      ]);
      const text = reportOf({
        made_at: new Date().toISOString(),
        release,
        browser: navigator.userAgent,
        sandbox: overview.value,
        payment: facts,
        requests: requests.data,
      });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      link.download = `card-form-${facts.payment.id}.json`;
      link.click();
      URL.revokeObjectURL(link.href);
      return 'Saved the report. It has no secrets and nothing about the buyer.';
    });
  return (
    <button type="button" class="small" onClick={save}>
      Save a bug report
    </button>
  );
};
