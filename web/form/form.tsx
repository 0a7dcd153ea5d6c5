import {
  type ComponentProps,
  createContext,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
  use,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useFormDraft } from '#web/lib/form-drafts.ts';
import { useHydrated } from '#web/lib/store.ts';
import type { ApiError } from '#web/lib/transport-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import {
  type FieldSpec,
  type FormEntry,
  FormField,
  isColumns,
  isDifferent,
  isField,
  type Typed,
  textsOf,
  valuesOf,
} from './form-field.tsx';

/** A zod schema. Its messages are shown at the fields. */
interface Schema<Values> {
  safeParse: (typed: unknown) => { success: boolean; data?: Values; error?: Refusal };
}
interface Refusal {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** A button that sends the form, unless it has an `onClick`. */
export interface FormAction extends Pick<ComponentProps<typeof Button>, 'variant' | 'size'> {
  text: ReactNode;
  /** Tells the buttons of a form apart. */
  value?: string;
  onClick?: () => void;
  /** The text while the form is being sent. */
  busyText?: string;
  /** Something else keeps it busy. */
  isBusy?: boolean;
  className?: string;
}

export interface FormProps<Values> {
  fields: readonly FormEntry[];
  /**
   * A function loads the schema when the user enters the form, so that the page does not wait for
   * it. If it fails to load, only the server checks the form.
   */
  schema?: Schema<Values> | (() => Promise<Schema<Values>>);
  /**
   * Called with what the schema returns, and the value of the button. The form is busy until it ends.
   * If it resolves to true, as `send` of `useWrite` does on success, the draft goes.
   */
  onSubmit: (values: Values, button: string) => unknown;
  /** Why the server refused the form last. */
  error?: ApiError | null | undefined;
  /** What to show above the fields for it. By default its message, unless it is shown at a field. */
  failure?: (error: ApiError, isAtField: boolean) => ReactNode;
  action: string | FormAction | readonly FormAction[];
  onCancel?: () => void;
  /** Opens the form in a dialog. `onCancel` closes it, unless it has its own `onClose`. */
  dialog?: Pick<ComponentProps<typeof Dialog>, 'title' | 'isBeside'> & { onClose?: () => void };
  /** The name under which this browser keeps what was typed until it is sent. */
  draft?: string | undefined;
  /** Called with the texts in the fields: at first, and after each change. */
  onType?: (typed: Typed) => void;
  form?: Pick<ComponentProps<'form'>, 'aria-label' | 'className' | 'ref' | 'role'>;
  /** Stands above the fields. */
  children?: ReactNode;
}

const TypedContext = createContext<Typed>({});

/** The texts in the fields of the form around. */
export const useTyped = () => use(TypedContext);

/** If the schema takes longer to load, the form is sent without it. */
const WAIT_MS = 5000;
const tooLong = () => new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));

const load = async <Values,>(schema: FormProps<Values>['schema']) =>
  typeof schema === 'function'
    ? Promise.race([schema(), tooLong()]).catch(() => null)
    : (schema ?? null);

/** The first field with an error, or the first choice of a group with one. */
const INVALID = '[aria-invalid], fieldset[aria-describedby] input';

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/**
 * The one way to write a form. Errors are shown at their fields, and others above them. The first
 * one gets the focus, unless the user has moved on. What was typed stays.
 *
 * `post` keeps a password out of the URL if the form is sent before the script runs.
 */
export function Form<Values = Record<string, string>>(props: FormProps<Values>) {
  const { fields: entries, schema, onSubmit, error, onCancel, dialog, draft, onType } = props;
  const { failure = (error, isAtField) => !isAtField && error.message, form: attributes } = props;
  const fields = entries.flatMap((entry) =>
    isColumns(entry) ? entry.columns : isField(entry) ? entry : [],
  );
  const [first, ...more] = [props.action].flat();
  const actions = [typeof first === 'object' ? first : { text: first }, ...more] as FormAction[];

  const id = useId();
  const isHydrated = useHydrated();
  const { ref: form, save, forget } = useFormDraft(draft, () => void noteTyped());
  const [typed, setTyped] = useState<Typed>({});
  const [invalid, setInvalid] = useState<Typed>({});
  /** The value of the button that sends the form. */
  const [sending, setSending] = useState<string | null>(null);
  const [known, setKnown] = useState(error);
  /** What to show above the fields. */
  const [top, setTop] = useState<ReactNode>();
  const wasSent = useRef(false);
  /** The form was sent, and the user has not moved on. */
  const isWaiting = useRef(false);

  if (error !== known) {
    setKnown(error);
    if (error) {
      const found = fieldErrors(error, fields);
      setInvalid(found);
      setTop(failure(error, Object.keys(found).length > 0));
    }
  }

  useImperativeHandle(attributes?.ref, () => form.current as HTMLFormElement);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for a draft or what was typed before the script ran
  useLayoutEffect(() => void noteTyped(), []);

  // Errors may arrive late. Leave the focus alone if the user has moved on by then.
  useEffect(() => {
    if (!isWaiting.current || sending !== null) return;
    const first = form.current?.querySelector<HTMLElement>(INVALID);
    if (!first) return;
    moveOn();
    const at = document.activeElement as HTMLButtonElement | null;
    const isHere =
      form.current?.contains(at) || at?.contains(form.current) || at?.form === form.current;
    if (isHere) first.focus();
  });

  function noteTyped() {
    const texts = textsOf(new FormData(form.current as HTMLFormElement));
    setTyped(texts);
    onType?.(texts);
    return texts;
  }

  function moveOn() {
    isWaiting.current = false;
  }

  /** What the schema makes of the fields, and why it refuses them. */
  async function check(element: HTMLFormElement) {
    const values = valuesOf(fields, new FormData(element));
    const loaded = await load(schema);
    if (!loaded) return { values: values as Values, invalid: {} };
    const { data, error: refusal } = loaded.safeParse(values);
    // The first message of a field.
    const issues = [...(refusal?.issues ?? [])].reverse();
    return {
      values: data as Values,
      invalid: Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message])),
    };
  }

  /** Checks one field again. */
  async function recheck(name: string) {
    if (!form.current) return;
    const { invalid: found } = await check(form.current);
    setInvalid(({ [name]: _, ...others }) => ({
      ...others,
      ...(found[name] !== undefined && { [name]: found[name] }),
    }));
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget: element } = event;
    const isSendable = actions.some(({ onClick }) => !onClick) && !isIncomplete;
    if (sending !== null || !isSendable) return;
    const { submitter } = event.nativeEvent;
    const button = submitter instanceof HTMLButtonElement ? submitter.value : '';
    noteTyped();
    setSending(button);
    setTop(undefined);
    wasSent.current = true;
    isWaiting.current = true;
    const checked = await check(element);
    setInvalid(checked.invalid);
    try {
      const isValid = Object.keys(checked.invalid).length === 0;
      if (isValid && (await onSubmit(checked.values, button)) === true) forget();
    } finally {
      setSending(null);
    }
  }

  const isIncomplete = fields.some(
    (field) =>
      isDifferent(field, typed) || (field.isAwaited && (typed[field.name] ?? '').trim() === ''),
  );

  function errorOf(field: FieldSpec): string | undefined {
    const { name, repeats } = field;
    const differs = isDifferent(field, typed) && typed[name] !== '' && repeats?.[1];
    return field.error ?? (differs || invalid[name]);
  }

  const names = fields.map(({ name }) => name);
  const elsewhere = Object.keys(invalid).find((name) => !names.includes(name));
  const above = top || invalid[elsewhere ?? ''];

  const show = (field: FieldSpec) => (
    <Fragment key={field.key ?? field.name}>
      {field.account !== undefined && (
        <input type="text" autoComplete="username" value={field.account} readOnly hidden />
      )}
      <FormField field={field} typed={typed[field.name] ?? ''} error={errorOf(field)} />
    </Fragment>
  );

  const cancel = onCancel && (
    <Button
      variant="secondary"
      size={actions[0]?.size}
      disabled={!dialog && sending !== null}
      onClick={onCancel}
    >
      Cancel
    </Button>
  );
  const buttons = actions.map(({ text, busyText, isBusy, onClick, value = '', ...look }) => {
    const busy = (!onClick && sending === value) || isBusy;
    return (
      <Button
        // Or React would turn a clicked button into the one that sends the form, in the same click.
        key={value}
        {...look}
        value={value}
        busy={busy}
        {...(onClick
          ? { onClick }
          : { type: 'submit', form: id, disabled: !isHydrated || isIncomplete })}
      >
        {busy ? (busyText ?? text) : text}
      </Button>
    );
  });

  const body = (
    <form
      aria-label={attributes?.['aria-label']}
      role={attributes?.role}
      id={id}
      ref={form}
      method="post"
      noValidate
      className={cx(
        'print:hidden',
        dialog && 'text-ink',
        attributes?.className ?? 'flex flex-col gap-5',
      )}
      onKeyDown={sendOnCtrlEnter}
      onFocus={() => {
        if (typeof schema === 'function') void load(schema);
        moveOn();
      }}
      onInput={({ target }) => {
        moveOn();
        save(noteTyped());
        const { name } = target as Element as HTMLInputElement;
        if (wasSent.current || invalid[name]) void recheck(name);
      }}
      onBlur={({ target }) => {
        const { name, value } = target as Element as HTMLInputElement;
        const field = fields.find((one) => one.name === name);
        field?.onLeave?.(value);
        if (field?.checksOnBlur && value !== '') void recheck(name);
      }}
      onSubmit={submit}
    >
      {props.children}
      {above && (
        <div ref={intoView}>
          {typeof above === 'string' ? <Banner tone="error">{above}</Banner> : above}
        </div>
      )}
      {entries.map((entry, place) => {
        if (isField(entry)) return show(entry);
        if (!isColumns(entry)) {
          // biome-ignore lint/suspicious/noArrayIndexKey: an element has no name
          return <Fragment key={place}>{entry}</Fragment>;
        }
        const { columns, className = 'grid gap-5 sm:grid-cols-2' } = entry;
        return (
          <div key={columns[0]?.name} className={className}>
            {columns.map(show)}
          </div>
        );
      })}
      {!dialog &&
        (cancel || buttons.length > 1 ? (
          <div className="flex flex-wrap gap-3">
            {buttons}
            {cancel}
          </div>
        ) : (
          buttons
        ))}
    </form>
  );

  return (
    <TypedContext value={typed}>
      {dialog ? (
        <Dialog
          title={dialog.title}
          isBeside={dialog.isBeside}
          onClose={() => (dialog.onClose ?? onCancel)?.()}
          actions={
            <>
              {cancel}
              {buttons}
            </>
          }
        >
          {body}
        </Dialog>
      ) : (
        body
      )}
    </TypedContext>
  );
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** The server's messages, by field. */
function fieldErrors({ status, errors }: ApiError, fields: readonly FieldSpec[]): Typed {
  if (status !== 400) return {};
  const messages = (errors ?? {}) as Readonly<Record<string, unknown>>;
  const texts = fields.map(({ name }) => [name, sentences(messages[name])] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** One or several messages, as one text. */
export const sentences = (messages: unknown): string =>
  [messages]
    .flat()
    .filter((message) => typeof message === 'string')
    .join(' ');
