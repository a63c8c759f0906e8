// SPDX-License-Identifier: GPL-2.0-or-later
// duckdb.js FILE [COLUMN,...]: what pcb-stats -g COLUMN,... computes, by DuckDB.
const { DuckDBInstance } = require("@duckdb/node-api");

async function main(file, columns) {
  const db = await DuckDBInstance.create(":memory:", { threads: "2" });
  const by = columns ? columns + "," : "";
  const sql = `select ${by} count(*), min(latency_ns), avg(latency_ns),
    quantile_cont(latency_ns, [0.5, 0.95, 0.99]), max(latency_ns),
    stddev_samp(latency_ns)
    from read_csv('${file}', header = true, comment = '#')
    ${columns ? "group by " + columns : ""}`;
  const result = await (await db.connect()).runAndReadAll(sql);
  const rows = result.getRows();
  console.log(rows.length, String(rows[0]));
}

main(...process.argv.slice(2));
