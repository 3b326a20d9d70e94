import type { ComponentChildren, ComponentProps } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps extends Omit<ComponentProps<"button">, "class"> {
  /** Classes of the look: `primary`, `danger`, `quiet`. */
  readonly kind?: string | undefined;
}

export function Button({ kind, type = "button", ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={kind === undefined ? "button" : `button ${kind}`} />;
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "class" | "aria-label"> {
  readonly icon: IconName;
  readonly label: string;
}

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" class="icon-button" aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  onSubmit(form: HTMLFormElement): void;
}

/** Form that is submitted by script only. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    />
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly name?: string;
  readonly type?: "password";
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly autocomplete?: string;
  onInput(value: string): void;
}

export function TextField({ label, onInput, ...rest }: TextFieldProps) {
  return (
    <label class="field">
      {label}
      <input {...rest} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
    </label>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  onChange(value: string): void;
}

export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, title]) => (
          <option key={option} value={option}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

interface CheckboxProps {
  readonly checked: boolean;
  readonly children: ComponentChildren;
  onChange(isChecked: boolean): void;
}

export function Checkbox({ checked, children, onChange }: CheckboxProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {children}
    </label>
  );
}
