export interface SessionSwitch {
  resume?(threadId: string): Promise<void>;
  pick?(): void;
}
