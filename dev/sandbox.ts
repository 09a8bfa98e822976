// `npm run sandbox`: the reference sandbox server alone.
import "../sandbox/main.ts";
