type Validate = ((data: unknown) => boolean) & {
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
};

/** Of Kubernetes' own OpenAPI document, by what a manifest says that it is. */
const SCHEMAS: Readonly<Record<string, () => Promise<{ readonly validate: unknown }>>> = {
  "apps/v1 Deployment": () => import("kubernetes-models/_schemas/IoK8sApiAppsV1Deployment"),
  "batch/v1 Job": () => import("kubernetes-models/_schemas/IoK8sApiBatchV1Job"),
  "networking.k8s.io/v1 Ingress": () =>
    import("kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress"),
  "policy/v1 PodDisruptionBudget": () =>
    import("kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget"),
  "v1 Service": () => import("kubernetes-models/_schemas/IoK8sApiCoreV1Service"),
};

/**
 * What Kubernetes would refuse in a manifest: values that its schemas do not take, and fields that they do not
 * know, each as a path. Throws where there is no schema of its kind.
 */
export async function refusedOf(manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): Promise<string[]> {
  const name = `${manifest.apiVersion} ${manifest.kind}`;
  const schema = SCHEMAS[name];
  if (schema === undefined) throw new Error(`There is no schema of ${name} here.`);
  const validate = (await schema()).validate as Validate;
  const looked = new Set<string>();
  const isValid = validate(watched(manifest, "", looked));
  const wrong = isValid ? [] : (validate.errors ?? []);
  return [
    ...wrong.map(({ instancePath, ...said }) => `${instancePath}: ${JSON.stringify(said)}`),
    ...pathsOf(manifest, "").filter((path) => !looked.has(path)),
  ];
}

/** The schemas allow further fields, but never look at them: what is looked at is noted. */
function watched<Value>(value: Value, path: string, looked: Set<string>): Value {
  if (typeof value !== "object" || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      const field: unknown = Reflect.get(target, key);
      if (typeof key !== "string" || !Object.hasOwn(target, key)) return field;
      looked.add(`${path}/${key}`);
      return watched(field, `${path}/${key}`, looked);
    },
  });
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [
    `${path}/${key}`,
    ...pathsOf(field, `${path}/${key}`),
  ]);
}
