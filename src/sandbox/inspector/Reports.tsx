import type { BrowserReport } from '../service/core/report-log.ts';
import { useInspector } from './context.ts';
import { ExactTime } from './RelativeTime.tsx';

const FOUND = {
  card_number: 'a card number',
  secret: 'a client secret or a secret key',
  email: 'an email address',
} as const;

/** Browsers' reports about the form's document, newest first. */
export const Reports = () => {
  const { reports } = useInspector();
  return (
    <section aria-label="Reports">
      <div class="section-head">
        <h2>Reports</h2>
        <p class="note">
          What browsers report about the form's document: scripts and requests that its policies refused,
          deprecations, crashes. Queries of addresses are cut off.
        </p>
      </div>
      {reports.value === null ? (
        <p class="empty">
          The form asks for no reports. Start the sandbox with <code>--reports</code> to see them here.
        </p>
      ) : reports.value.length === 0 ? (
        <p class="empty">No reports yet. A browser may take a minute to send one.</p>
      ) : (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Type</th>
                <th scope="col">Report</th>
              </tr>
            </thead>
            <tbody>
              {reports.value.map((report, index, { length }) => (
                <Row key={`${length - index}`} report={report} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

const Row = ({ report }: { report: BrowserReport }) => (
  <tr>
    <td>
      <ExactTime at={report.at} />
    </td>
    <td>
      <span class="mono">{report.type}</span>
    </td>
    <td>
      {report.dropped === null ? (
        <dl class="report">
          {Object.entries({ document: report.url, ...report.fields }).map(([name, text]) => (
            <div key={name}>
              <dt class="muted">{name}</dt>
              <dd class="mono">{text}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <strong class="fault">
          Dropped: it seems to contain {FOUND[report.dropped]}. A script in the form's document may have tried
          to send it away.
        </strong>
      )}
    </td>
  </tr>
);
