// `npm run bench`: measures a round against yardsticks taken in the same run.
import "../bench/main.ts";
