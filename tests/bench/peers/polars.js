// SPDX-License-Identifier: GPL-2.0-or-later
// polars.js FILE [COLUMN,...]: what pcb-stats -g COLUMN,... computes, by Polars.
const polars = require("nodejs-polars");
const pl = polars.default || polars;

const [file, columns] = process.argv.slice(2);
const x = () => pl.col("latency_ns");
const statistics = [
  x().count().alias("n"),
  x().min().alias("min"),
  x().mean().alias("mean"),
  x().quantile(0.5, "linear").alias("median"),
  x().quantile(0.95, "linear").alias("p95"),
  x().quantile(0.99, "linear").alias("p99"),
  x().max().alias("max"),
  x().std().alias("stddev"),
];
const table = pl.scanCSV(file, { commentPrefix: "#" });
const result = columns
  ? table.groupBy(columns.split(",")).agg(...statistics)
  : table.select(...statistics);
const rows = result.collectSync();
console.log(rows.height, JSON.stringify(rows.row(0)));
