import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Binary } from '../../http/common-schemas.ts';
import { operationsOf } from '../../http/operation.ts';
import type { AuditRow } from '../../storage/database.ts';
import { AuditCheck, AuditExportQuery, AuditPage, AuditQuery, RequiredReasons } from './audit.schemas.ts';
import type { AuditService } from './audit.service.ts';
import { exportEntries } from './export-entries.ts';

const [lines, table] = ['application/x-ndjson', 'text/csv'].map((type) => Binary(type, 'JSON lines, or CSV'));
const exported = { description: 'JSON lines, or CSV', content: { ...lines?.content, ...table?.content } };

export function auditRoutes(audit: AuditService): FastifyPluginAsyncTypebox {
  const operation = operationsOf('Audit trail');
  return async (app) => {
    app.get(
      '/api/v1/audit',
      operation('getAudit', 'ext: who did what, newest first', {
        role: 'engineer',
        querystring: AuditQuery,
        answer: AuditPage,
        errors: [422],
      }),
      async ({ query: { before, count, ...filter } }) => {
        const rows = await audit.listEntries(filter, count + 1, before);
        const entries = rows.slice(0, count).map(viewEntry);
        return { data: { entries, next: rows.length > count ? (entries.at(-1)?.seq ?? null) : null } };
      },
    );
    app.get(
      '/api/v1/audit/export',
      operation('exportAudit', 'ext: the audit trail as a file, oldest first', {
        role: 'engineer',
        querystring: AuditExportQuery,
        response: { 200: exported },
        errors: [422],
      }),
      async ({ query: { format, ...filter } }, reply) =>
        reply
          .header('content-type', format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
          .header('content-disposition', `attachment; filename="kensa-audit.${format}"`)
          .send(Readable.from(exportEntries(audit.readEntries(filter), format)) as never),
    );
    app.post(
      '/api/v1/audit/verify',
      operation('verifyAudit', 'ext: look for entries that were changed, removed or added', {
        role: 'engineer',
        answer: AuditCheck,
      }),
      async () => {
        const { head, fault } = await audit.verify();
        return { data: { entries: head.seq, hash: head.hash, fault: fault ?? null } };
      },
    );
    app.get(
      '/api/v1/audit/reasons',
      operation('getRequiredReasons', 'ext: the kinds of acts that need a reason', {
        role: 'viewer',
        answer: RequiredReasons,
      }),
      async () => ({ data: { acts: await audit.listReasons() } }),
    );
    app.put(
      '/api/v1/audit/reasons',
      operation('setRequiredReasons', 'ext: ask for a reason at these kinds of acts, in the header X-Reason', {
        role: 'admin',
        body: RequiredReasons,
        answer: RequiredReasons,
        errors: [422],
      }),
      async ({ body }) => ({ data: { acts: await audit.setReasons(body.acts) } }),
    );
  };
}

const viewEntry = (row: AuditRow) => ({ ...row, details: JSON.parse(row.details) as Record<string, unknown> });
