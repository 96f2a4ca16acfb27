import type { AuditReport } from '../../api/types.ts';

type Problem = Extract<AuditReport, { isWhole: false }>['problem'];

const PROBLEMS: Readonly<Record<Problem, string>> = {
  edit: 'A row was changed after it was written.',
  gap: 'Rows are missing.',
  order: 'A row is there twice, or in the wrong place.',
  truncated: 'The last rows are missing.',
  head: 'The recorded end is not the last row.',
  forged: 'A row or a signature was not made by the gateway.',
  rewritten: 'The rows are consistent, but they are not those that were signed or kept elsewhere.',
  unsigned: 'Older rows were never signed.',
  malformed: 'A row cannot be read.',
};

/** The result of verifying the audit, in plain words. */
export function describeReport(report: AuditReport): { readonly isGood: boolean; readonly text: string } {
  if (!report.isWhole)
    return {
      isGood: false,
      text: `The audit is damaged at row ${report.seq}. ${PROBLEMS[report.problem]} Keep an export, and ask the operator to run sallyport audit verify.`,
    };
  const { rows, start, signed, head } = report;
  const removed = start > 0 ? ` Rows up to ${start} were removed on purpose, which is signed.` : '';
  const rest = head.seq - signed;
  const waiting = rest > 0 ? ` The last ${rest} wait for their signature, which takes seconds.` : '';
  return {
    isGood: true,
    text: `All ${rows.toLocaleString('en')} rows are there and unchanged, and they are signed up to row ${signed}.${waiting}${removed}`,
  };
}
