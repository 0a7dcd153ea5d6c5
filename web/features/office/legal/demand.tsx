import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { legalEndpoints } from '#contract/endpoints/office.ts';
import {
  DEMAND_KINDS,
  DEMAND_OUTCOMES,
  documentRefusal,
} from '#contract/legal-demands/legal-demand-choices.ts';
import type { LegalDemand } from '#contract/legal-demands/legal-demands.ts';
import { API_TIMEOUT_MS, DEMAND_DOCUMENT_MB } from '#contract/limits.ts';
import { titleCase } from '#contract/names.ts';
import { Form } from '#web/form/form.tsx';
import type { FieldSpec } from '#web/form/form-field.tsx';
import { formatLongDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';
import { call, pageWrites } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';

/** One request at a time, for a file, and why the last one failed. */
function useRequest() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  async function run(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setError(caught.message);
    }
    setBusy(false);
  }
  return { run, isBusy, error };
}

/** The document of a demand: to download, to add, and to replace. */
function DemandDocument({ demand: { id, has_document } }: { demand: LegalDemand }) {
  const [isAdding, setAdding] = useState(false);
  const { run, isBusy, error } = useRequest();
  const download = () =>
    run(async () => saveFile(await api.call(legalEndpoints.download, { params: { id } })));
  return (
    <div className="flex flex-col items-start gap-3">
      <div className="flex flex-wrap gap-3">
        {has_document ? (
          <Button size="sm" variant="secondary" busy={isBusy} onClick={() => void download()}>
            Download the document
          </Button>
        ) : (
          <span className="self-center">None</span>
        )}
        <Button size="sm" variant="quiet" onClick={() => setAdding(true)}>
          {has_document ? 'Replace the document' : 'Add a document'}
        </Button>
      </div>
      {error && <Banner tone="error">{error}</Banner>}
      {isAdding && (
        <AddDialog id={id} isReplacing={has_document} onClose={() => setAdding(false)} />
      )}
    </div>
  );
}

interface AddDialogProps {
  id: string;
  isReplacing: boolean;
  onClose: () => void;
}

function AddDialog({ id, isReplacing, onClose }: AddDialogProps) {
  const document = useDocument('Document');
  const action = isReplacing ? 'Replace the document' : 'Add a document';
  return (
    <Form
      dialog={{ title: action }}
      fields={[document.field]}
      action={action}
      onSubmit={async () => {
        if (await document.isReady({ isRequired: true })) await document.upload(id, onClose);
      }}
      onCancel={onClose}
    >
      {isReplacing && <p>The document that is stored now will be deleted.</p>}
    </Form>
  );
}

/** The field for a document, and its upload. */
export function useDocument(label: string) {
  const [file, setFile] = useState<File>();
  const [refusal, setRefusal] = useState<string>();
  /** Why the file is refused, once it has been read. */
  const checking = useRef(Promise.resolve<string | null>(null));
  const { run, isBusy, error } = useRequest();
  const { revalidate } = useRevalidator();
  return {
    isBusy,
    isChosen: file !== undefined,
    field: {
      name: 'document',
      label,
      kind: 'file',
      hint: `A PDF, PNG, or JPEG file of at most ${DEMAND_DOCUMENT_MB} MB. It is stored encrypted, without its name.`,
      error: refusal ?? error,
      accept: 'application/pdf,image/png,image/jpeg',
      boxClass: 'py-2.5',
      async onFile(chosen) {
        setFile(chosen);
        // A file that cannot be read fails when it is sent.
        const check = chosen ? documentRefusal(chosen).catch(() => null) : Promise.resolve(null);
        checking.current = check;
        const found = await check;
        if (checking.current === check) setRefusal(found ?? undefined);
      },
    } satisfies FieldSpec,
    /** Whether the form can be sent. */
    async isReady({ isRequired = false } = {}): Promise<boolean> {
      if (isRequired && !file) setRefusal('Please choose a file');
      return (await checking.current) === null && (file !== undefined || !isRequired);
    },
    upload: (id: string, onDone: () => void) =>
      run(async () => {
        if (!file) return;
        const timeoutMs = 2 * API_TIMEOUT_MS;
        await api.call(legalEndpoints.upload, { params: { id }, body: file, timeoutMs });
        await revalidate();
        onDone();
      }),
  };
}

/** What the office knows about a demand. The office does not know who wrote the review. */
export function DemandFacts({ demand }: { demand: LegalDemand }) {
  const { kind, received_on, jurisdiction, outcome, decided_on, review, is_gagged } = demand;
  const { sender, docket, due_on } = demand;
  return (
    <Facts
      facts={[
        { term: 'Kind', value: DEMAND_KINDS[kind] },
        { term: 'Received on', value: formatLongDate(received_on) },
        { term: 'Sender', value: sender || 'Not given' },
        { term: 'Docket number', value: docket || 'Not given' },
        { term: 'Due on', value: due_on ? formatLongDate(due_on) : 'Not given' },
        { term: 'Document', value: <DemandDocument demand={demand} /> },
        { term: 'Jurisdiction', value: jurisdiction || 'Not given' },
        { term: 'Review', value: review ? <ReviewName review={review} /> : 'None, or deleted' },
        ...(review
          ? [
              {
                term: 'Author',
                value: is_gagged ? 'Must not be told' : 'Sees it on the dashboard',
              },
            ]
          : []),
        {
          term: 'Outcome',
          value:
            outcome === null || decided_on === null
              ? 'Pending'
              : `${DEMAND_OUTCOMES[outcome]}, ${formatLongDate(decided_on)}`,
        },
      ]}
    />
  );
}

function ReviewName({ review }: { review: NonNullable<LegalDemand['review']> }) {
  const name = `${titleCase(review.position_title)}, ${titleCase(review.employer)}`;
  if (!review.is_public) return <span>{name} (not public)</span>;
  return (
    <Link to={paths.review(review.id)} className="prose-link">
      {name}
    </Link>
  );
}

export const legalWrites = pageWrites({
  record: call(legalEndpoints.record),
  correct: call(legalEndpoints.correct),
  liftGag: call(legalEndpoints.liftGag),
});
