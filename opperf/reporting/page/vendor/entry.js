// What the page draws with: of Apache ECharts only these parts are bundled (scripts/vendor_charts.sh).
import { init, use } from "echarts/core";
import { BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  GridComponent, LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { CanvasRenderer } from "echarts/renderers";

use([
  BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart, GridComponent,
  LegendComponent, MarkAreaComponent, MarkLineComponent, TooltipComponent, VisualMapComponent,
  CanvasRenderer,
]);
export { init };
