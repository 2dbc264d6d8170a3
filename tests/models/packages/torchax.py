# SPDX-License-Identifier: Apache-2.0
"""PyTorch modules that torchax turns into JAX functions."""

import torch
import torchax

from table import f32, i32
from zoo import leaves, model


def module(net):
    """The module as a function of JAX arrays that closes over its weights."""
    torch.manual_seed(0)
    net = net.eval()
    weights, function = torchax.extract_jax(net)
    return leaves(lambda *arguments: function(weights, tuple(arguments)))


rows = {
    "mlp": (
        lambda: torch.nn.Sequential(
            torch.nn.Linear(6, 16),
            torch.nn.GELU(),
            torch.nn.LayerNorm(16),
            torch.nn.Linear(16, 3),
            torch.nn.Softmax(-1),
        ),
        (f32(2, 6),),
    ),
    "cnn": (
        lambda: torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3, padding=1),
            torch.nn.BatchNorm2d(8),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(2),
            torch.nn.Conv2d(8, 8, 3, groups=2),
            torch.nn.SiLU(),
            torch.nn.AdaptiveAvgPool2d(1),
            torch.nn.Flatten(),
            torch.nn.Linear(8, 5),
        ),
        (f32(2, 3, 12, 12),),
    ),
    "transformer_encoder": (lambda: torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (f32(2, 5, 8),)),
    "lstm": (lambda: torch.nn.LSTM(4, 6, batch_first=True), (f32(2, 5, 4),)),
    "gru": (lambda: torch.nn.GRU(4, 6, batch_first=True), (f32(2, 5, 4),)),
    "embedding": (
        lambda: torch.nn.Sequential(torch.nn.Embedding(11, 8), torch.nn.Linear(8, 4), torch.nn.Tanh()),
        (i32(2, 5).between(0, 10),),
    ),
    "norms": (
        lambda: torch.nn.Sequential(
            torch.nn.GroupNorm(2, 4),
            torch.nn.InstanceNorm2d(4),
            torch.nn.Hardswish(),
            torch.nn.Upsample(scale_factor=2, mode="nearest"),
            torch.nn.ConvTranspose2d(4, 3, 2, stride=2),
        ),
        (f32(2, 4, 5, 5),),
    ),
    "attention": (lambda: attended(), (f32(2, 5, 8),)),
    "transformer_decoder": (lambda: decoder(), (f32(2, 5, 8), f32(2, 4, 8))),
    "conv1d": (
        lambda: torch.nn.Sequential(
            torch.nn.Conv1d(4, 8, 3, padding=1, dilation=1),
            torch.nn.BatchNorm1d(8),
            torch.nn.ELU(),
            torch.nn.AvgPool1d(2),
            torch.nn.Conv1d(8, 8, 3, padding_mode="zeros"),
            torch.nn.PReLU(),
            torch.nn.Flatten(),
        ),
        (f32(2, 4, 16),),
    ),
    "conv3d": (
        lambda: torch.nn.Sequential(
            torch.nn.Conv3d(2, 4, 3, padding=1), torch.nn.BatchNorm3d(4), torch.nn.LeakyReLU(), torch.nn.MaxPool3d(2)
        ),
        (f32(1, 2, 6, 6, 6),),
    ),
    "upsampling": (
        lambda: torch.nn.Sequential(
            torch.nn.Conv2d(3, 4, 3),
            torch.nn.Upsample(scale_factor=2, mode="bilinear"),
            torch.nn.PixelShuffle(2),
            torch.nn.ReflectionPad2d(1),
            torch.nn.Softplus(),
        ),
        (f32(1, 3, 8, 8),),
    ),
    "recurrent_stack": (
        lambda: torch.nn.LSTM(4, 6, num_layers=2, bidirectional=True, batch_first=True),
        (f32(2, 5, 4),),
    ),
    "bag_and_cosine": (
        lambda: torch.nn.Sequential(
            torch.nn.Embedding(11, 8, padding_idx=0),
            torch.nn.RMSNorm(8),
            torch.nn.Linear(8, 8),
            torch.nn.GLU(),
            torch.nn.LogSoftmax(-1),
        ),
        (i32(2, 5).between(0, 10),),
    ),
    "pyramid": (lambda: pyramid(), (f32(3, 3, 16, 16),)),
}


def attended():
    class net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = torch.nn.Linear(8, 24), torch.nn.Linear(8, 8)

        def forward(self, x):
            q, k, v = (t.unflatten(-1, (2, 4)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
            y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(y.transpose(1, 2).flatten(2))

    return net()


def decoder():
    class net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.TransformerDecoderLayer(
                8, 2, 16, batch_first=True, norm_first=True, activation="gelu"
            )

        def forward(self, x, memory):
            return self.layer(x, memory)

    return net()


def pyramid():
    class net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.stem, self.down, self.up = (
                torch.nn.Conv2d(3, 8, 3, padding=1),
                torch.nn.Conv2d(8, 16, 3, 2, 1),
                torch.nn.ConvTranspose2d(16, 8, 4, 2, 1),
            )
            self.norm = torch.nn.BatchNorm2d(16)

        def forward(self, x):
            x = torch.relu(self.stem(x))
            y = torch.nn.functional.gelu(self.norm(self.down(x)))
            y = torch.nn.functional.interpolate(y, size=(8, 8), mode="nearest")
            return torch.cat([x, self.up(y)], 1).mean((2, 3)).var(0)

    return net()


for name, (create, arguments) in rows.items():

    @model(name, *arguments)
    def build(create=create):
        return module(create())


for name in [
    "resnet18",
    "mobilenet_v2",
    "squeezenet1_1",
    "efficientnet_b0",
    "vit_b_16",
    "convnext_tiny",
    "swin_t",
    "densenet121",
    "shufflenet_v2_x0_5",
    "mnasnet0_5",
    "mobilenet_v3_small",
    "regnet_y_400mf",
    "googlenet",
    "alexnet",
    "vgg11_bn",
    "maxvit_t",
]:

    @model(name, f32(1, 3, 224 if name == "vit_b_16" else 64, 224 if name == "vit_b_16" else 64), rtol=5e-3, atol=1e-3)
    def vision(name=name):
        import torchvision

        return module(getattr(torchvision.models, name)(num_classes=5))
