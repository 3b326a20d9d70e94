export { ServerMetrics, type ServerMetricsOptions } from "./server-metrics.ts";
